package dev.understudy.agent.egress;

import dev.understudy.agent.bootstrap.Egress;
import dev.understudy.agent.loading.Reach;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Proxy;
import java.net.ConnectException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class EgressControlTest {
    private final List<String> called = new ArrayList<>();
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private volatile @Nullable Thread teller;
    private String obstacle = "";
    /** Of a JVM that changes no class. */
    private final Instrumentation stubborn = (Instrumentation) Proxy.newProxyInstance(
            Instrumentation.class.getClassLoader(), new Class<?>[] {Instrumentation.class}, (proxy, method, its) -> {
                called.add(method.getName());
                if (method.getName().equals("retransformClasses") && !obstacle.isEmpty()) {
                    throw new UnsupportedOperationException(obstacle);
                }
                return method.getReturnType().isArray() ? new Class<?>[0] : null;
            });

    private EgressControl denying() {
        return EgressControl.denying(
                new EgressRules(List.of(), List.of(), ""),
                EgressControlTest::start,
                new ThreadGroup("own"),
                (address, port) -> false,
                () -> {},
                this::tell);
    }

    private void tell(String line) {
        teller = Thread.currentThread();
        lines.add(line);
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work);
        thread.setDaemon(true);
        thread.start();
    }

    @AfterEach
    void nobodyIsAsked() {
        Egress.guard(null);
    }

    @Test
    void whereAllIsAllowed_noClassIsChanged() {
        EgressControl control = EgressControl.allowing();
        control.install(stubborn, new Reach(told -> {}));
        control.debugPorts(Set.of(1));

        assertThat(called).isEmpty();
        assertThat(control.state()).isEqualTo("allow");
        assertThatCode(() -> Egress.connecting(InetAddress.getLoopbackAddress(), 1))
                .doesNotThrowAnyException();
    }

    @Test
    void aProblemsText_isCut() {
        obstacle = "x".repeat(10_000);
        EgressControl control = denying();
        control.install(stubborn, new Reach(told -> {}));

        assertThat(control.problems())
                .isNotEmpty()
                .allSatisfy(problem -> assertThat(problem).hasSizeBetween(300, 400));
    }

    @Test
    void classesThatCouldNotBeChanged_areReported_andThoseThatAskAreRefused() {
        EgressControl control = denying();
        assertThat(control.state()).isEqualTo("deny");
        control.install(stubborn, new Reach(told -> {}));

        assertThat(control.state()).isEqualTo("failed");
        assertThat(control.problems())
                .contains("sun.nio.ch.SocketChannelImpl: it couldn't be changed")
                .hasSizeGreaterThanOrEqualTo(3);
        assertThat(lines)
                .hasSameSizeAs(control.problems())
                .allMatch(line -> line.startsWith("EGRESS IS NOT ENFORCED: egress=deny, but connections of "));
        assertThatThrownBy(() -> Egress.connecting(InetAddress.getLoopbackAddress(), 1))
                .isInstanceOf(ConnectException.class);
        assertThat(control.refused()).containsOnlyKeys("localhost:1");
        assertThat(control.refusedElsewhere()).isZero();
        int before = control.problems().size();
        for (long begun = System.nanoTime(); lines.size() == before; Thread.onSpinWait()) {
            assertThat(System.nanoTime() - begun).isLessThan(30_000_000_000L);
        }
        assertThat(lines.get(before)).startsWith("a connection to localhost:1 ");
        assertThat(teller).as("not the one that connects").isNotEqualTo(Thread.currentThread());
    }
}
