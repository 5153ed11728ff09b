package dev.understudy.session.debug;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class SessionProgressTest {
    private final StringWriter printed = new StringWriter();

    @Test
    void steps_goForwardOnly() {
        SessionProgress progress = new SessionProgress(new PrintWriter(printed), false);
        progress.reached(SessionStep.WORLD, "understudy-1");
        progress.reached(SessionStep.PROGRAMS, "");

        assertThat(progress.step()).isEqualTo(SessionStep.PROGRAMS);
        assertThatThrownBy(() -> progress.reached(SessionStep.WORLD, "")).isInstanceOf(IllegalStateException.class);
        assertThat(printed.toString().lines())
                .hasSize(2)
                .first()
                .asString()
                .endsWith(" s  the copy's network is there: understudy-1");
    }

    @Test
    void liveLine_isPrintedWhenItChanges_andOnATerminalInItsOwnPlace() {
        SessionProgress log = new SessionProgress(new PrintWriter(printed), false);
        log.live("1 exchanges");
        log.live("1 exchanges");
        log.live("2 exchanges");
        assertThat(printed.toString().lines()).containsExactly("1 exchanges", "2 exchanges");

        StringWriter shown = new StringWriter();
        SessionProgress terminal = new SessionProgress(new PrintWriter(shown), true);
        terminal.live("1 exchanges");
        terminal.live("2 exchanges");
        terminal.line("note");
        assertThat(shown.toString().lines()).containsExactly("", "\u001b[K1 exchanges", "\u001b[K2 exchanges", "note");
    }
}
