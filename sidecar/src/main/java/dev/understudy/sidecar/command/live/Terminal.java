package dev.understudy.sidecar.command.live;

import dev.understudy.relay.log.Printable;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A terminal's other screen: shows pages in place, hears keys, and leaves the terminal as it was, also at a signal.
 *
 * <p>Escape sequences are those of ECMA-48 and xterm's alternate screen; keys need {@code stty}. For one thread, but
 * for {@link #close}.
 */
final class Terminal implements AutoCloseable {
    private static final String ESC = "\u001b[";
    private static final String ENTER = ESC + "?1049h" + ESC + "?25l";
    private static final String LEAVE = ESC + "?25h" + ESC + "?1049l";
    private static final File DEVICE = new File("/dev/tty");
    private static final int CTRL_C = 3;

    private final PrintStream out = System.out;
    private final String before;
    private final BlockingQueue<Integer> keys = new LinkedBlockingQueue<>(16);
    private final AtomicBoolean left = new AtomicBoolean();
    private final Thread atSignal = new Thread(this::leave, "understudy-terminal");

    private Terminal(String before) {
        this.before = before;
    }

    /** Whether both standard input and standard output are a terminal. */
    static boolean isThere() {
        return run(ProcessBuilder.Redirect.INHERIT, "test", "-t", "0") != null
                && run(ProcessBuilder.Redirect.INHERIT, "test", "-t", "1") != null;
    }

    /** Takes the process's terminal over; to be closed. */
    static Terminal open() {
        String before = stty("-g");
        Terminal terminal = new Terminal(before == null ? "" : before.trim());
        Runtime.getRuntime().addShutdownHook(terminal.atSignal);
        stty("-icanon", "-echo", "min", "1");
        terminal.out.print(ENTER);
        terminal.out.flush();
        Thread reader = new Thread(() -> terminal.read(System.in), "understudy-keys");
        reader.setDaemon(true);
        reader.start();
        return terminal;
    }

    /** Shows a page in the place of the last one; what doesn't fit is cut off. */
    void show(List<String> lines) {
        StringBuilder page = new StringBuilder(ESC + "H" + ESC + "?7l");
        String between = "";
        for (String line : lines.subList(0, Math.min(lines.size(), rows()))) {
            page.append(between).append(Printable.of(line)).append(ESC).append("K");
            between = "\r\n";
        }
        page.append(ESC).append("J").append(ESC).append("?7h");
        out.print(page);
        out.flush();
    }

    /** Waits for {@code pace} or a key, and says whether that was q, Ctrl-C or the end of the input. */
    boolean toldToQuit(Duration pace) throws InterruptedException {
        Integer key = keys.poll(pace.toMillis(), TimeUnit.MILLISECONDS);
        return key != null && (key == 'q' || key == 'Q' || key == CTRL_C || key < 0);
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(atSignal);
        } catch (IllegalStateException stopping) {
            return;
        }
        leave();
    }

    private void leave() {
        if (left.compareAndSet(false, true)) {
            out.print(LEAVE);
            out.flush();
            if (!before.isEmpty()) {
                stty(before);
            }
        }
    }

    private void read(InputStream in) {
        try {
            int key;
            do {
                key = in.read();
                keys.put(key);
            } while (key >= 0);
        } catch (IOException gone) {
            keys.offer(-1);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /** {@code stty size} says rows and columns; a terminal that doesn't know has as many as are needed. */
    private static int rows() {
        String size = stty("size");
        String rows = size == null ? "" : size.trim().split(" ", 2)[0];
        return rows.matches("[1-9]\\d{0,4}") ? Integer.parseInt(rows) : Integer.MAX_VALUE;
    }

    private static @Nullable String stty(String... settings) {
        String[] command = new String[settings.length + 1];
        command[0] = "stty";
        System.arraycopy(settings, 0, command, 1, settings.length);
        return DEVICE.exists() ? run(ProcessBuilder.Redirect.from(DEVICE), command) : null;
    }

    /** What a command printed, or null if it couldn't be run or failed. */
    private static @Nullable String run(ProcessBuilder.Redirect input, String... command) {
        boolean asked = command[0].equals("stty");
        try {
            Process process = new ProcessBuilder(command)
                    .redirectInput(input)
                    .redirectOutput(asked ? ProcessBuilder.Redirect.PIPE : ProcessBuilder.Redirect.INHERIT)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return process.waitFor() == 0 ? printed : null;
        } catch (IOException missing) {
            return null;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return null;
        }
    }
}
