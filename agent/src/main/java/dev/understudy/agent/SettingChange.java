package dev.understudy.agent;

import dev.understudy.agent.budget.Governor;
import dev.understudy.agent.budget.Stacking;
import dev.understudy.agent.counter.Measuring;
import dev.understudy.agent.leak.LeakWatch;
import dev.understudy.agent.stack.AllocationSampling;
import dev.understudy.agent.value.Secrets;
import java.util.List;
import java.util.function.BiFunction;

/** Brings what runs already from some settings to others. Called on the orders' thread. */
final class SettingChange implements BiFunction<AgentConfig, AgentConfig, List<String>> {
    private final Governor governor;
    private final Stacking stacking;
    private final Deepening deepening;
    private final LeakWatch leaks;
    private final Measuring measuring;
    private final AllocationSampling allocations;
    private final Secrets secrets;

    SettingChange(
            Governor governor,
            Stacking stacking,
            Deepening deepening,
            LeakWatch leaks,
            Measuring measuring,
            AllocationSampling allocations,
            Secrets secrets) {
        this.governor = governor;
        this.stacking = stacking;
        this.deepening = deepening;
        this.leaks = leaks;
        this.measuring = measuring;
        this.allocations = allocations;
        this.secrets = secrets;
    }

    /** What is in the way of some of them; the others hold all the same. */
    @Override
    public List<String> apply(AgentConfig before, AgentConfig now) {
        secrets.own(now.redact());
        governor.limit(now.budget(), now.oneIn(), now.lag());
        stacking.limit(now.stacks());
        deepening.limit(now.deep(), now.values());
        if (!now.quotaText().equals(before.quotaText())) {
            governor.quota(now.quota());
        }
        if (!now.leaks().equals(before.leaks())) {
            leaks.every(now.leaks());
        }
        if (!now.measure().equals(before.measure())) {
            measuring.change(now.measure());
            governor.measured(measuring.nanos());
        }
        String obstacle = allocations.limit(now.allocations());
        return obstacle == null ? List.of() : List.of(obstacle);
    }
}
