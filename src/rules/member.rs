//! FL07xx on the members themselves: agents, workloads, pods and what they wait for.
