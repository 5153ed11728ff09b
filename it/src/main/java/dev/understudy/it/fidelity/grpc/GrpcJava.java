package dev.understudy.it.fidelity.grpc;

import dev.understudy.it.fidelity.Side;
import dev.understudy.it.fidelity.Suite;
import dev.understudy.it.fidelity.Transcript;
import dev.understudy.it.fidelity.server.GrpcMethods;
import dev.understudy.it.fidelity.server.Server;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/**
 * grpc-java's client: all four kinds of call, with metadata, errors, deadlines, compression, large messages and
 * cancelling.
 */
public final class GrpcJava implements Suite {
    private static final CallOptions PLAIN = CallOptions.DEFAULT;
    private static final CallOptions GZIP = PLAIN.withCompression("gzip");
    private static final int AT_ONCE = 50;

    private final int rounds;

    public GrpcJava(int rounds) {
        this.rounds = rounds;
    }

    @Override
    public String name() {
        return "grpc";
    }

    @Override
    public String about() {
        return ("grpc-java 1.76.0, %d rounds of all four kinds of call, and %d calls of each kind at "
                        + "once; an operation is a call")
                .formatted(rounds, AT_ONCE);
    }

    @Override
    public Server.Kind server() {
        return Server.Kind.GRPC;
    }

    @Override
    public void prepare(Server server) {
        // it keeps nothing but a number
    }

    @Override
    public void run(Side side) throws Exception {
        ManagedChannel channel = NettyChannelBuilder.forAddress("127.0.0.1", side.port())
                .usePlaintext()
                .build();
        try {
            for (int round = 1; round <= rounds; round++) {
                new Round(channel, side.transcript(), round).run();
            }
            atOnce(channel, side.transcript());
        } finally {
            channel.shutdownNow();
            channel.awaitTermination(10, TimeUnit.SECONDS);
        }
    }

    private static void atOnce(ManagedChannel channel, Transcript transcript) {
        List<Conversation> all = new ArrayList<>();
        List<String> names = new ArrayList<>();
        for (int n = 0; n < AT_ONCE; n++) {
            String own = "at once " + n;
            all.add(call(channel, GrpcMethods.ONCE, PLAIN).say(own).end());
            all.add(call(channel, GrpcMethods.PIECES, PLAIN).say("20 " + n).end());
            all.add(call(channel, GrpcMethods.GATHER, PLAIN).say(own, "b", "c").end());
            all.add(call(channel, GrpcMethods.TALK, PLAIN).say(own, "b", "c").end());
            List.of("once ", "pieces ", "gather ", "talk ").forEach(kind -> names.add(kind + own));
        }
        for (int n = 0; n < all.size(); n++) {
            transcript.add(names.get(n), result(all.get(n)::rest));
        }
    }

    private static Conversation call(
            ManagedChannel channel, MethodDescriptor<String, String> method, CallOptions options) {
        return Conversation.begin(channel, method, options);
    }

    private static Callable<String> result(Callable<String> call) {
        return () -> Transcript.result(call.call());
    }

    /** Everything once. */
    private record Round(ManagedChannel channel, Transcript transcript, int round) {
        private static final String LARGE = "0123456789".repeat(150_000);

        void run() {
            once();
            pieces();
            gather();
            talk();
            add("not offered", () -> call(GrpcMethods.MISSING).say("a").end().rest());
        }

        private void once() {
            add("same message", () -> once(PLAIN, "same"));
            add("own message", () -> once(PLAIN, "own " + round));
            add("empty message", () -> once(PLAIN, ""));
            add("compressed message", () -> once(GZIP, "z".repeat(50_000)));
            add("large message", () -> once(PLAIN, LARGE));
            add("large answer", () -> once(PLAIN, "large 3000000"));
            add("deadline that is met", () -> once(PLAIN.withDeadlineAfter(30, TimeUnit.SECONDS), "in time"));
            add("deadline that isn't", () -> once(PLAIN.withDeadlineAfter(300, TimeUnit.MILLISECONDS), "silent"));
            add("metadata", () -> {
                Metadata metadata = new Metadata();
                metadata.put(GrpcMethods.TOLD, "seven");
                return Conversation.begin(channel, GrpcMethods.ONCE, PLAIN, metadata)
                        .say("with metadata")
                        .end()
                        .rest();
            });
            for (Status.Code code : Status.Code.values()) {
                if (code != Status.Code.OK) {
                    add("failure " + code, () -> once(PLAIN, "fail " + code));
                }
            }
        }

        private void pieces() {
            for (String asked : List.of("0 1", "1 0", "100 10", "3 1000000", "3 5 fail", "0 0 fail")) {
                add(
                        "pieces " + asked,
                        () -> call(GrpcMethods.PIECES).say(asked).end().rest());
            }
            add("pieces without end", () -> {
                Conversation call = call(GrpcMethods.PIECES).say("5 5 endless").end();
                String heard = call.next(5);
                call.cancel();
                return heard + call.rest();
            });
        }

        private void gather() {
            add("gather nothing", () -> call(GrpcMethods.GATHER).end().rest());
            add("gather one", () -> call(GrpcMethods.GATHER).say("a").end().rest());
            add(
                    "gather empty ones",
                    () -> call(GrpcMethods.GATHER).say("", "", "").end().rest());
            add(
                    "gather many",
                    () -> call(GrpcMethods.GATHER)
                            .say(Collections.nCopies(500, "a ").toArray(String[]::new))
                            .end()
                            .rest());
            add(
                    "gather large ones",
                    () -> Conversation.begin(channel, GrpcMethods.GATHER, GZIP)
                            .say(LARGE, LARGE)
                            .end()
                            .rest());
            add(
                    "gather until enough",
                    () -> call(GrpcMethods.GATHER).say("a", "enough").rest());
            add(
                    "gather until it fails",
                    () -> call(GrpcMethods.GATHER).say("a", "fail").rest());
        }

        private void talk() {
            add(
                    "talk at a stretch",
                    () -> call(GrpcMethods.TALK).say("d", "e", "f").end().rest());
            add("talk of nothing", () -> call(GrpcMethods.TALK).end().rest());
            turns(GrpcMethods.TALK, "talk", 0);
            turns(GrpcMethods.GREET, "greet", 1);
        }

        /** @param first messages that the server says unasked; they are awaited, or it would be chance who is first */
        private void turns(MethodDescriptor<String, String> method, String name, int first) {
            add(name + " by turns", () -> {
                Conversation call = call(method);
                StringBuilder heard = new StringBuilder(call.next(first));
                for (String word : List.of("a", "b", "c")) {
                    heard.append(call.say(word).next(1));
                }
                return heard + call.end().rest();
            });
            add(name + " that fails", () -> {
                Conversation call = call(method);
                String heard = call.next(first) + call.say("g").next(1);
                return heard + call.say("fail").rest();
            });
            add(name + " that is given up", () -> {
                Conversation call = call(method);
                String heard = call.next(first) + call.say("h").next(1);
                call.cancel();
                return heard + call.rest();
            });
        }

        private String once(CallOptions options, String message) throws Exception {
            return Conversation.begin(channel, GrpcMethods.ONCE, options)
                    .say(message)
                    .end()
                    .rest();
        }

        private Conversation call(MethodDescriptor<String, String> method) {
            return GrpcJava.call(channel, method, PLAIN);
        }

        private void add(String name, Callable<String> call) {
            transcript.add(name + ", round " + round, name, result(call));
        }
    }
}
