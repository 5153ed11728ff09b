package dev.understudy.agent.fork;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * What a thread writes at once for all who asked: it puts aside what comes, and works on that when nothing more comes.
 */
final class TaskBatch {
    private final BlockingQueue<Write> asked = new LinkedBlockingQueue<>();

    TaskBatch() {
        Thread writer = new Thread(this::write);
        writer.setDaemon(true);
        writer.start();
    }

    Future<String> written(String way) {
        Write write = new Write(way);
        asked.add(write);
        return write.done;
    }

    private void write() {
        Deque<Write> aside = new ArrayDeque<>();
        try {
            while (true) {
                Write next = aside.isEmpty() ? asked.take() : asked.poll();
                if (next != null) {
                    aside.add(next);
                } else {
                    while (!aside.isEmpty()) {
                        Write first = aside.remove();
                        first.done.complete(TaskServer.written(first.way));
                    }
                }
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    private static final class Write {
        final CompletableFuture<String> done = new CompletableFuture<>();
        final String way;

        Write(String way) {
            this.way = way;
        }
    }
}
