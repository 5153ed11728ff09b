package dev.understudy.it.clients;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.it.stage.Chain;
import dev.understudy.it.stage.TeeStage;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** A gRPC client, HTTP/2 without TLS, through the sidecar: all messages as in a direct run, on both sides. */
@Tag("any-jdk")
class GrpcIT {
    private static final int CALLS = 40;
    private static final int MESSAGES = 20;
    private static final int LONGEST = 100_000;
    private static final int SECONDS = 60;
    private static final long SEED = 2;

    @TempDir
    Path folder;

    @Test
    void unaryAndStreamingCalls_areAnsweredAsDirectly_andHeardByDebugToo() throws Exception {
        try (GrpcServer alone = new GrpcServer();
                GrpcServer production = new GrpcServer();
                GrpcServer debug = new GrpcServer();
                TeeStage stage = TeeStage.open(folder, "http", production.port(), debug.port())) {
            List<Chain> direct = calls(alone.port(), alone);
            assertThat(alone.calls()).hasSize(3 * CALLS);
            // A client that leaves takes with it what debug is still working on: this one stays until all is done.
            assertThat(calls(stage.port(), debug)).as("seed %d", SEED).isEqualTo(direct);

            JsonNode status = stage.settled();
            assertThat(production.calls()).isEqualTo(alone.calls());
            assertThat(debug.calls()).isEqualTo(alone.calls());
            String all = status.toPrettyString();
            assertThat(status.at("/losses")).as(all).isEmpty();
            assertThat(status.at("/fidelity").asText()).as(all).startsWith("faithful");
            assertThat(status.at("/unframedConnections").asInt()).as(all).isZero();
            assertThat(status.at("/verdicts/SAME").asInt()).as(all).isEqualTo(3 * CALLS);
        }
    }

    /**
     * The answers, all calls of a kind one after another, the three kinds at once on one connection, which is open
     * until {@code last} has had all of them.
     */
    private static List<Chain> calls(int port, GrpcServer last) throws Exception {
        ManagedChannel channel =
                NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build();
        try {
            CompletableFuture<Chain> once = CompletableFuture.supplyAsync(() -> once(channel));
            CompletableFuture<Chain> pieces = CompletableFuture.supplyAsync(() -> pieces(channel));
            CompletableFuture<Chain> talk = CompletableFuture.supplyAsync(() -> talk(channel));
            List<Chain> answers = List.of(
                    once.get(SECONDS, TimeUnit.SECONDS),
                    pieces.get(SECONDS, TimeUnit.SECONDS),
                    talk.get(SECONDS, TimeUnit.SECONDS));
            await("calls")
                    .atMost(SECONDS, TimeUnit.SECONDS)
                    .untilAsserted(() -> assertThat(last.calls()).hasSize(3 * CALLS));
            return answers;
        } finally {
            channel.shutdown();
            assertThat(channel.awaitTermination(SECONDS, TimeUnit.SECONDS)).isTrue();
        }
    }

    private static Chain once(ManagedChannel channel) {
        Random random = new Random(SEED);
        Chain answers = Chain.EMPTY;
        for (int n = 0; n < CALLS; n++) {
            answers = answers.with(
                    ClientCalls.blockingUnaryCall(channel, GrpcMethods.ONCE, CallOptions.DEFAULT, message(random)));
        }
        return answers;
    }

    private static Chain pieces(ManagedChannel channel) {
        Random random = new Random(SEED + 1);
        Chain answers = Chain.EMPTY;
        for (int n = 0; n < CALLS; n++) {
            Iterator<byte[]> pieces = ClientCalls.blockingServerStreamingCall(
                    channel, GrpcMethods.PIECES, CallOptions.DEFAULT, message(random));
            while (pieces.hasNext()) {
                answers = answers.with(pieces.next());
            }
        }
        return answers;
    }

    private static Chain talk(ManagedChannel channel) {
        Random random = new Random(SEED + 2);
        Chain answers = Chain.EMPTY;
        for (int n = 0; n < CALLS; n++) {
            Answers heard = new Answers();
            StreamObserver<byte[]> call =
                    ClientCalls.asyncBidiStreamingCall(channel.newCall(GrpcMethods.TALK, CallOptions.DEFAULT), heard);
            for (int m = 0; m < MESSAGES; m++) {
                call.onNext(message(random));
            }
            call.onCompleted();
            for (byte[] answer : heard.all.orTimeout(SECONDS, TimeUnit.SECONDS).join()) {
                answers = answers.with(answer);
            }
        }
        return answers;
    }

    private static byte[] message(Random random) {
        byte[] message = new byte[random.nextInt(random.nextInt(LONGEST) + 1)];
        random.nextBytes(message);
        return message;
    }

    /** Called by one thread at a time. */
    private static final class Answers implements StreamObserver<byte[]> {
        final CompletableFuture<List<byte[]>> all = new CompletableFuture<>();
        private final List<byte[]> heard = new ArrayList<>();

        @Override
        public void onNext(byte[] answer) {
            heard.add(answer);
        }

        @Override
        public void onError(Throwable failure) {
            all.completeExceptionally(failure);
        }

        @Override
        public void onCompleted() {
            all.complete(heard);
        }
    }
}
