package dev.understudy.agent.fork;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import kotlin.Unit;
import kotlin.coroutines.Continuation;
import kotlin.coroutines.CoroutineContext;
import kotlin.coroutines.intrinsics.IntrinsicsKt;
import kotlin.coroutines.jvm.internal.SuspendLambda;
import kotlin.jvm.functions.Function2;
import kotlinx.coroutines.BuildersKt;
import kotlinx.coroutines.CoroutineScope;
import kotlinx.coroutines.CoroutineStart;
import kotlinx.coroutines.DelayKt;
import kotlinx.coroutines.Dispatchers;
import kotlinx.coroutines.ExecutorsKt;
import kotlinx.coroutines.GlobalScope;
import kotlinx.coroutines.channels.BufferOverflow;
import kotlinx.coroutines.channels.Channel;
import kotlinx.coroutines.channels.ChannelKt;
import kotlinx.coroutines.channels.ChannelsKt;
import kotlinx.coroutines.future.FutureKt;
import org.jspecify.annotations.Nullable;

/** The application in a forked JVM: an HTTP server whose work is done by coroutines, each path in a way of its own. */
public final class CoroutineServer {
    private static final Channel<CompletableFuture<String>> ORDERS =
            ChannelKt.Channel(100, BufferOverflow.SUSPEND, null);
    private static final Executor OF_COROUTINES = ExecutorsKt.asExecutor(Dispatchers.getDefault());
    private static final Executor LIMITED = ExecutorsKt.asExecutor(Dispatchers.getIO());

    private CoroutineServer() {}

    public static void main(String[] arguments) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", CoroutineServer::handle);
        server.setExecutor(Executors.newFixedThreadPool(2));
        start(new Orders(null));
        server.start();
        System.out.println("port " + server.getAddress().getPort());
    }

    private static void handle(HttpExchange exchange) throws IOException {
        byte[] body;
        try {
            body = answer(exchange.getRequestURI().getPath().substring(1)).getBytes(StandardCharsets.UTF_8);
        } catch (InterruptedException | ExecutionException problem) {
            throw new IOException(problem);
        }
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    @SuppressWarnings("StatementSwitchToExpressionSwitch")
    private static String answer(String way) throws InterruptedException, ExecutionException {
        CompletableFuture<String> done = new CompletableFuture<>();
        switch (way) {
            case "steps":
                return start(new Steps(way, null)).get();
            case "channel":
                ChannelsKt.trySendBlocking(ORDERS, done);
                return done.get();
            case "executor":
                OF_COROUTINES.execute(() -> done.complete(inExecutor(way)));
                return done.get();
            case "limited":
                LIMITED.execute(() -> done.complete(inLimited(way)));
                return done.get();
            default:
                return "unknown";
        }
    }

    private static CompletableFuture<String> start(Lambda work) {
        return FutureKt.future(
                GlobalScope.INSTANCE, (CoroutineContext) Dispatchers.getDefault(), CoroutineStart.DEFAULT, work);
    }

    static String onDefault(String way) {
        return "by " + way;
    }

    static String afterDelay(String word) {
        return word + " later";
    }

    static String onIo(String word) {
        return word + " elsewhere";
    }

    static String backAgain(String word) {
        return word + " and back";
    }

    static String ordered(String way) {
        return "by " + way;
    }

    static String delivered(String word) {
        return word + " later";
    }

    static String inExecutor(String way) {
        return "by " + way;
    }

    static String inLimited(String way) {
        return "by " + way;
    }

    /** A function that may be suspended, as Kotlin's compiler makes one. */
    @SuppressWarnings("serial")
    private abstract static class Lambda extends SuspendLambda
            implements Function2<CoroutineScope, Continuation<? super String>, Object> {
        static final Object SUSPENDED = IntrinsicsKt.getCOROUTINE_SUSPENDED();

        int label;

        Lambda(@Nullable Continuation<Object> completion) {
            super(2, completion);
        }

        abstract Lambda with(Continuation<Object> completion);

        @Override
        @SuppressWarnings("unchecked")
        public Continuation<Unit> create(@Nullable Object scope, Continuation<?> completion) {
            return (Continuation<Unit>) (Continuation<?>) with((Continuation<Object>) completion);
        }

        @Override
        @SuppressWarnings("unchecked")
        public Object invoke(CoroutineScope scope, Continuation<? super String> completion) {
            return with((Continuation<Object>) (Continuation<?>) completion).invokeSuspend(Unit.INSTANCE);
        }

        @Override
        protected abstract Object invokeSuspend(Object result);
    }

    /** On coroutines' own threads, after a while, on those for what waits, and back. */
    @SuppressWarnings("serial")
    private static final class Steps extends Lambda {
        private String word;

        Steps(String word, @Nullable Continuation<Object> completion) {
            super(completion);
            this.word = word;
        }

        @Override
        Lambda with(Continuation<Object> completion) {
            return new Steps(word, completion);
        }

        @Override
        @SuppressWarnings("StatementSwitchToExpressionSwitch")
        protected Object invokeSuspend(Object result) {
            Object next = result;
            while (next != SUSPENDED) {
                switch (label++) {
                    case 0:
                        word = onDefault(word);
                        next = DelayKt.delay(3, this);
                        break;
                    case 1:
                        word = afterDelay(word);
                        next = BuildersKt.withContext(
                                (CoroutineContext) Dispatchers.getIO(), (scope, completion) -> onIo(word), this);
                        break;
                    default:
                        return backAgain((String) next);
                }
            }
            return next;
        }
    }

    /** One that is there for all requests. */
    @SuppressWarnings("serial")
    private static final class Orders extends Lambda {
        private CompletableFuture<String> order = new CompletableFuture<>();

        Orders(@Nullable Continuation<Object> completion) {
            super(completion);
        }

        @Override
        Lambda with(Continuation<Object> completion) {
            return new Orders(completion);
        }

        @Override
        @SuppressWarnings("unchecked")
        protected Object invokeSuspend(Object result) {
            Object next = result;
            while (true) {
                if (label == 1) {
                    order = (CompletableFuture<String>) next;
                    ordered("channel");
                    label = 2;
                    next = DelayKt.delay(3, this);
                } else {
                    if (label == 2) {
                        order.complete(delivered("by channel"));
                    }
                    label = 1;
                    next = ORDERS.receive(this);
                }
                if (next == SUSPENDED) {
                    return SUSPENDED;
                }
            }
        }
    }
}
