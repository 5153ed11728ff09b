package dev.understudy.agent.bootstrap;

import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class LoggedTest {
    private static final String JDKS = "java.util.logging.LogRecord getLevel.intValue 1000";

    @Test
    void anErrorThatATaskLogs_isThatOfTheExchange() throws Exception {
        assertThat(ofATask(() -> log(Level.SEVERE, JDKS)).logged()).isTrue();
        assertThat(ofATask(() -> log(Level.WARNING, JDKS)).logged()).isFalse();
    }

    @Test
    void whatNobodyCanRead_isNoError() throws Exception {
        assertThat(ofATask(() -> log(Level.SEVERE, "no.such.Event getLevel.intValue 1000"))
                        .logged())
                .isFalse();
        log(Level.SEVERE, JDKS); // of no exchange
    }

    private static Observed ofATask(Runnable task) throws Exception {
        return ExchangeTraffic.of(() -> {
            Handover.handed(task);
            OtherThreads.onAnotherStripe(() -> Handover.run(task));
            return task;
        });
    }

    private static void log(Level level, String words) {
        Logged.event(new LogRecord(level, ""), LoggedTest.class, words);
    }
}
