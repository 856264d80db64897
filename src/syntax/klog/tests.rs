//! klog heads and pairs, on lines as klog 2.130 writes them.

use super::*;
use crate::syntax::log::line_head::RecordHead;

fn pairs(line: &str) -> Vec<(&str, &str)> {
    let head = parse_head(line).expect("a klog line");
    let found = parse_pairs(line, head.rest);
    found.iter().map(|f| (&line[f.key.clone()], &line[f.value.clone()])).collect()
}

const HEAD: &str = "I1116 02:16:15.592475   20595 klogsample/main.go:90] ";

#[test]
fn a_head_is_taken_apart() {
    let line = r#"E1115 22:57:53.201001       1 updaterun/execution.go:588] "binding is not up-to-date" err="x""#;
    let head = parse_head(line).unwrap();
    let look = RecordHead { line, head: &head };
    assert_eq!(look.level(), Some(RecordLevel::Error));
    assert_eq!((look.file(), look.file_line()), ("updaterun/execution.go", 588));
    assert_eq!(look.message(), "binding is not up-to-date");
    assert_eq!(look.rest(), r#" err="x""#);
    assert_eq!(look.raw_value("err"), Some(r#""x""#));
    let civil = Civil { month: 11, day: 15, hour: 22, minute: 57, second: 53, micros: 201_001 };
    assert_eq!(head.time, HeadTime::Civil(civil));
}

#[test]
fn a_head_may_lack_the_directory_and_the_text() {
    let head = |line| parse_head(line).map(|head| (line[head.file].to_owned(), head.line));
    assert_eq!(head("I1116 02:16:15.602172   20600 main.go:67] x"), Some(("main.go".into(), 67)));
    assert_eq!(head("W1116 02:16:15.602172 1234567 ???:1] "), Some(("???".into(), 1)));
    assert_eq!(head("F1116 02:16:15.602172       1 a.go:1]"), Some(("a.go".into(), 1)));
}

#[test]
fn what_only_resembles_a_head_is_none() {
    for line in [
        "",
        "I",
        "I1116",
        "I1316 02:16:15.602172       1 main.go:67] month 13",
        "I1100 02:16:15.602172       1 main.go:67] day 0",
        "I1116 24:16:15.602172       1 main.go:67] hour 24",
        "X1116 02:16:15.602172       1 main.go:67] level",
        "I1116 02:16:15.60217        1 main.go:67] five digits",
        "I1116 02:16:15.602172         main.go:67] no process",
        "I1116 02:16:15.602172       1 main.go] no line",
        "I1116 02:16:15.602172       1 main.go:67]no blank",
        "I1116 02:16:15.602172       1 main.go:67",
        "I1116 02:16:15.602172é",
    ] {
        assert_eq!(parse_head(line), None, "{line}");
    }
}

#[test]
fn free_text_is_told_from_a_structured_message() {
    let quoting = |text: &str| parse_head(&format!("{HEAD}{text}")).unwrap().quoting;
    assert_eq!(quoting("binding x has terminal failure (reason \"y\")"), MessageQuoting::Free);
    assert_eq!(quoting(r#""x" is bad"#), MessageQuoting::Free);
    assert_eq!(quoting(r#""cut"#), MessageQuoting::Free);
    assert_eq!(quoting(r#""no values""#), MessageQuoting::Quoted);
    assert_eq!(quoting(r#""a \"b\"" k=1"#), MessageQuoting::Quoted);
}

#[test]
fn keys_are_raw_and_values_typed() {
    let line = format!(
        "{HEAD}{}",
        r#""m" time elapsed="5m0s" placement (new)="p" number of associated work=3 key=with=eq="v" %!s(int=7)="seven" big=1e+21 neg=-1 err=null c={"a":"} x=1"} s=["a b"] n=<nil>"#
    );
    assert_eq!(
        pairs(&line),
        [
            ("time elapsed", r#""5m0s""#),
            ("placement (new)", r#""p""#),
            ("number of associated work", "3"),
            ("key=with=eq", r#""v""#),
            ("%!s(int=7)", r#""seven""#),
            ("big", "1e+21"),
            ("neg", "-1"),
            ("err", "null"),
            ("c", r#"{"a":"} x=1"}"#),
            ("s", r#"["a b"]"#),
            ("n", "<nil>"),
        ]
    );
}

#[test]
fn values_between_marks_go_on_over_lines() {
    let line = format!("{HEAD}\"m\" err=<\n\tline 1\n\t\n\t\tindented\n > next=1 s=<\n\tx\n >");
    let found = parse_pairs(&line, parse_head(&line).unwrap().rest);
    let written: Vec<_> =
        found.iter().map(|field| (&line[field.key.clone()], field.written)).collect();
    assert_eq!(
        written,
        [("err", PairForm::Lines), ("next", PairForm::Raw), ("s", PairForm::Lines)]
    );
    assert_eq!(&line[found[0].value.clone()], "<\n\tline 1\n\t\n\t\tindented\n >");
}

#[test]
fn a_cut_value_is_marked() {
    for (text, value) in [
        (r#""m" a=1 err="cut"#, r#""cut"#),
        (r#""m" a=1 err={"x":"#, r#"{"x":"#),
        ("\"m\" a=1 err=<\n\tcut", "<\n\tcut"),
    ] {
        let line = format!("{HEAD}{text}");
        let found = parse_pairs(&line, parse_head(&line).unwrap().rest);
        assert_eq!(found.len(), 2, "{text}");
        assert_eq!((&line[found[1].value.clone()], found[1].written), (value, PairForm::Cut));
    }
}

#[test]
fn text_behind_the_pairs_ends_them() {
    let line = format!("{HEAD}\"m\" a=\"1\"\nb=\"2\" c=\"3\"");
    assert_eq!(pairs(&line), [("a", "\"1\"")]);
}

#[test]
fn without_heads_only_pairs_make_a_record() {
    assert_eq!(parse_bare(r#""no values""#), None);
    assert_eq!(parse_bare(r#""key": "value","#), None);
    let line = r#""numbers" int=42 bool=true"#;
    let head = parse_bare(line).unwrap();
    assert_eq!(&line[head.message.clone()], "numbers");
    assert_eq!(head.level, None);
}
