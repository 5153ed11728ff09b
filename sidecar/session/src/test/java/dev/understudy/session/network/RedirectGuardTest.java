package dev.understudy.session.network;

import dev.understudy.session.ledger.SessionProgram;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Redirects whose session, guard or programs are killed, while a client makes new connections all the time. */
@Tag("process")
final class RedirectGuardTest extends RedirectStage {
    /** Milliseconds; an idle machine needs less than a hundredth. */
    private static final int BUSY = 10_000;

    @Test
    void sidecarKilled_productionIsReachedAgain_soon() throws Exception {
        for (int run = 0; run < 5; run++) {
            SessionProgram production = user();
            SessionProgram sidecar = support();
            listen(production, "production", "0.0.0.0", 8080 + run);
            relay(sidecar, "sidecar", "0.0.0.0", 9080 + run, "127.0.0.1", 8080 + run);
            Redirects redirects =
                    insert(Map.of(at("0.0.0.0", 8080 + run), at("0.0.0.0", 9080 + run)), Map.of(), sidecar);
            SessionProgram outside = machine.outside();
            flood(outside, 8080 + run);

            sidecar.kill();

            assertThat(redirects.removal().get(30, TimeUnit.SECONDS)).isEqualTo("process " + sidecar.pid());
            outage("sidecar", outside, BUSY);
            assertThat(outside.answer("connect 10.99.0.1 " + (8080 + run))).isEqualTo("production");
            assertThat(machine.redirects()).isEmpty();
        }
    }

    @Test
    void aggregatorKilled_upstreamsAreReachedAgain_soon() throws Exception {
        SessionProgram sidecar = support();
        SessionProgram aggregator = support();
        SessionProgram user = user();
        listen(machine.outside(), "pg", "10.99.0.2", 5432);
        relay(aggregator, "aggregator", "127.0.0.1", 7001, "10.99.0.2", 5432);
        insert(Map.of(), Map.of(at("10.99.0.2", 5432), at("127.0.0.1", 7001)), sidecar, aggregator);
        assertThat(user.answer("connect 10.99.0.2 5432")).isEqualTo("aggregator>pg");
        assertThat(user.answer("flood 10.99.0.2 5432")).isEqualTo("ok");

        aggregator.kill();

        awaitNoRedirects();
        outage("aggregator", user, BUSY);
        assertThat(user.answer("connect 10.99.0.2 5432")).isEqualTo("pg");
    }

    @Test
    void guardKilled_rulesAreRemovedByTheSession() throws Exception {
        SessionProgram sidecar = support();
        listen(user(), "production", "0.0.0.0", 8080);
        relay(sidecar, "sidecar", "0.0.0.0", 9080, "127.0.0.1", 8080);
        Redirects redirects = insert(Map.of(at("0.0.0.0", 8080), at("0.0.0.0", 9080)), Map.of(), sidecar);
        SessionProgram outside = machine.outside();
        flood(outside, 8080);

        ProcessHandle.of(redirects.guard()).orElseThrow().destroyForcibly();

        assertThat(redirects.removal().get(30, TimeUnit.SECONDS)).isEqualTo("the guard");
        outage("guard", outside, 0);
        assertThat(machine.redirects()).isEmpty();
    }

    @Test
    void sessionKilled_rulesAreRemoved_withoutAnOutage() throws Exception {
        SessionProgram sidecar = support();
        listen(user(), "production", "0.0.0.0", 8080);
        relay(sidecar, "sidecar", "0.0.0.0", 9080, "127.0.0.1", 8080);
        SessionProgram outside = machine.outside();
        try (SessionProgram session = session(inside(), "" + sidecar.pid())) {
            String id = session.line().substring("inserted ".length());
            assertThat(outside.answer("connect 10.99.0.1 8080")).isEqualTo("sidecar>production");
            flood(outside, 8080);

            session.kill();

            awaitNoRedirects();
            outage("session", outside, 0);
            assertThat(outside.answer("connect 10.99.0.1 8080")).isEqualTo("production");
            assertThat(sessions.undo(id).left()).isEmpty();
        }
    }

    private void awaitNoRedirects() {
        await("the guard")
                .atMost(Duration.ofMinutes(1))
                .until(() -> machine.redirects().isEmpty());
    }

    private static void flood(SessionProgram client, int port) throws Exception {
        assertThat(client.answer("flood 10.99.0.1 " + port)).isEqualTo("ok");
        Thread.sleep(200);
    }

    /** Ends the client that makes new connections all the time, and looks at how long none came through. */
    private static void outage(String who, SessionProgram client, int most) throws Exception {
        Thread.sleep(300);
        String[] words = client.answer("flooded").split(" ", -1);
        System.out.println("outage, " + who + " killed: " + words[0] + " connections, " + words[1] + " failed, within "
                + words[2] + " ms");
        assertThat(Long.parseLong(words[0])).isPositive();
        assertThat(Long.parseLong(words[2])).isLessThanOrEqualTo(most);
        if (most == 0) {
            assertThat(words[1]).isEqualTo("0");
        }
    }
}
