package dev.understudy.mcp.tool;

import dev.understudy.mcp.port.ControlPorts;
import dev.understudy.relay.log.Printable;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs tools, each on a thread of its own, within a time. Whatever goes wrong is an outcome, never an exception.
 *
 * <p>For any number of threads; so many tools run at a time as it has threads, and further calls are refused.
 */
public final class ToolRunner implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ToolRunner.class);
    private static final int THREADS = 8;
    private static final int LONGEST_MESSAGE = 1_000;

    private final ControlPorts ports;
    private final Duration patience;
    private final ThreadPoolExecutor threads =
            new ThreadPoolExecutor(0, THREADS, 30, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
                Thread thread = new Thread(task, "understudy-mcp-tool");
                thread.setDaemon(true);
                return thread;
            });

    /** @param patience how long a call may take */
    public ToolRunner(ControlPorts ports, Duration patience) {
        this.ports = ports;
        this.patience = patience;
    }

    /**
     * How a call went.
     *
     * @param isError whether {@code text} says what is wrong
     */
    public record Outcome(String text, boolean isError) {}

    /** Checks the arguments, runs the tool and waits for it. */
    public Outcome run(ToolDefinition tool, @Nullable Map<String, Object> given) {
        ToolArguments arguments;
        try {
            arguments = ToolArguments.of(tool.parameters(), given);
        } catch (ToolInputException wrong) {
            return error(wrong.getMessage());
        }
        Future<Outcome> running;
        try {
            running = threads.submit(() -> attempt(tool, arguments));
        } catch (RejectedExecutionException full) {
            return error(THREADS + " calls are running already (expected: wait for one of them, then call again)");
        }
        return await(tool, running);
    }

    private Outcome await(ToolDefinition tool, Future<Outcome> running) {
        try {
            return running.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            running.cancel(true);
            return error(tool.name() + " took longer than " + patience.toSeconds()
                    + " s (is the sidecar stopped, or its machine busy? call status, then call this again)");
        } catch (InterruptedException ended) {
            running.cancel(true);
            Thread.currentThread().interrupt();
            return error("the server is stopping");
        } catch (ExecutionException defect) {
            LOG.error("tool {} failed", tool.name(), defect.getCause());
            return error(tool.name() + " failed by a defect of this server; its log has the details");
        }
    }

    private Outcome attempt(ToolDefinition tool, ToolArguments arguments) throws InterruptedException {
        try {
            return new Outcome(tool.action().run(arguments, ports).text(), false);
        } catch (IOException refused) {
            ports.renew();
            return error(advice(String.valueOf(refused.getMessage())));
        } catch (ToolInputException wrong) {
            return error(wrong.getMessage());
        } catch (InterruptedException late) {
            ports.renew();
            throw late;
        }
    }

    private static String advice(String message) {
        if (message.contains(" needs the role ")) {
            return message + " (this server acts with the role of its token: start it with another one in "
                    + "UNDERSTUDY_CONTROL_TOKEN, or for upstreams UNDERSTUDY_AGGREGATOR_TOKEN)";
        }
        return message.contains("timed out")
                ? message + " (it is there but doesn't answer; call this again once it does)"
                : message;
    }

    private static Outcome error(@Nullable String message) {
        String text = Printable.of(String.valueOf(message));
        return new Outcome(text.length() <= LONGEST_MESSAGE ? text : text.substring(0, LONGEST_MESSAGE) + "…", true);
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
