package dev.understudy.agent.export;

import dev.understudy.agent.bootstrap.lock.Nestings;
import dev.understudy.agent.branch.BranchDirectory;
import dev.understudy.agent.budget.Controller;
import dev.understudy.agent.budget.Costs;
import dev.understudy.agent.budget.Governor;
import dev.understudy.agent.budget.Metering;
import dev.understudy.agent.budget.Observing;
import dev.understudy.agent.budget.Quota;
import dev.understudy.agent.budget.Stacking;
import dev.understudy.agent.counter.Measuring;
import dev.understudy.agent.egress.EgressControl;
import dev.understudy.agent.leak.AllocationSites;
import dev.understudy.agent.leak.ConstructorTransformer;
import dev.understudy.agent.leak.LeakWatch;
import dev.understudy.agent.leak.UseTransformer;
import dev.understudy.agent.lock.LockOrder;
import dev.understudy.agent.orders.Order;
import dev.understudy.agent.orders.OrderFollower;
import dev.understudy.agent.stack.StackSampler;
import dev.understudy.agent.weave.ProbeDirectory;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class ReportTest {
    private final Stacking stacking = new Stacking(20);
    private final Governor governor = new Governor(
            new Controller(0.2, 0),
            Costs.calibrated(),
            () -> 1,
            probe -> 0,
            System::nanoTime,
            () -> 0,
            Observing.calibrated(),
            () -> 1,
            stacking,
            new Metering(0),
            new Quota(0, Duration.ZERO));
    private final Semaphore brought = new Semaphore(0);
    private final OrderFollower orders = new OrderFollower(
            (path, most) -> "{\"revision\":0,\"orders\":{\"budget\":{\"most\":0.05}}}".getBytes(StandardCharsets.UTF_8),
            List.of(new Limiting()),
            brought::release);
    private final Thread following = new Thread(orders);
    private boolean told;

    @AfterEach
    void stop() {
        following.interrupt();
    }

    /** Whoever waits for a revision finds in its report what was ordered. */
    @Test
    void whatIsDoneWhileAReportIsWritten_isSaidToBeDoneInTheNextOne() throws Exception {
        following.setDaemon(true);
        following.start();
        AgentReport report = report();

        assertThat(written(report)).contains("\"budgetMax\":0.2,", "\"orders\":{\"revision\":-1,");
        assertThat(written(report)).contains("\"budgetMax\":0.05,", "\"orders\":{\"revision\":0,");
    }

    private static String written(AgentReport report) throws Exception {
        return new String(report.write(), StandardCharsets.UTF_8);
    }

    private AgentReport report() {
        Instrumentation none = (Instrumentation) Proxy.newProxyInstance(
                Instrumentation.class.getClassLoader(),
                new Class<?>[] {Instrumentation.class},
                (proxy, method, its) -> new Class<?>[0]);
        LeakWatch leaks = new LeakWatch(
                Duration.ZERO,
                () -> true,
                new AllocationSites(none, new ConstructorTransformer(), new UseTransformer()),
                problem -> {});
        return new AgentReport(
                "small",
                new ProbeDirectory(),
                governor,
                new StackSampler(stacking),
                this::failed,
                orders,
                () -> "",
                leaks,
                new LockReport(new BranchDirectory(), new LockOrder(Nestings::poll)),
                Map::of,
                List::of,
                new MeasuredFields(Measuring.begin(Set.of(), none), () -> "off"),
                EgressControl.allowing(),
                List::of);
    }

    /** Is asked for behind the budget and before the orders, and has an order followed meanwhile. */
    private int failed() {
        if (!told) {
            told = true;
            orders.told(0);
            brought.acquireUninterruptibly();
        }
        return 0;
    }

    private final class Limiting implements Order {
        @Override
        public String kind() {
            return "budget";
        }

        @Override
        public List<String> bring(Map<String, Object> wanted) {
            governor.limit(0.05, 0, Duration.ofSeconds(1));
            return List.of();
        }

        @Override
        public String standing() {
            return "limited";
        }
    }
}
