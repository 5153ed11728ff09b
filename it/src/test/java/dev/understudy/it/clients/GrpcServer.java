package dev.understudy.it.clients;

import dev.understudy.it.stage.Chain;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A gRPC server without TLS that computes its answers from what it is asked, and remembers what it was asked. */
final class GrpcServer implements AutoCloseable {
    private static final int PIECES = 50;

    private final ConcurrentLinkedQueue<String> calls = new ConcurrentLinkedQueue<>();
    private final Server server;

    /** Listens on a free loopback port. */
    GrpcServer() throws IOException {
        server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .addService(ServerServiceDefinition.builder(GrpcMethods.NAME)
                        .addMethod(GrpcMethods.ONCE, ServerCalls.asyncUnaryCall(this::once))
                        .addMethod(GrpcMethods.PIECES, ServerCalls.asyncServerStreamingCall(this::pieces))
                        .addMethod(GrpcMethods.TALK, ServerCalls.asyncBidiStreamingCall(this::talk))
                        .build())
                .build()
                .start();
    }

    int port() {
        return server.getPort();
    }

    /** All calls that have come to their end, each with the chain of its messages; sorted, since calls overlap. */
    List<String> calls() {
        return calls.stream().sorted().toList();
    }

    private void once(byte[] message, StreamObserver<byte[]> answers) {
        Chain heard = Chain.EMPTY.with(message);
        calls.add("once " + heard);
        answers.onNext(GrpcMethods.bytes(heard));
        answers.onCompleted();
    }

    /** Answers with pieces of any length, which the message decides about. */
    private void pieces(byte[] message, StreamObserver<byte[]> answers) {
        Random random = new Random(Chain.EMPTY.with(message).hash().hashCode());
        for (int n = 0; n < PIECES; n++) {
            byte[] piece = new byte[random.nextInt(20_000)];
            random.nextBytes(piece);
            answers.onNext(piece);
        }
        calls.add("pieces " + Chain.EMPTY.with(message));
        answers.onCompleted();
    }

    /** Answers each message with the chain up to it. */
    private StreamObserver<byte[]> talk(StreamObserver<byte[]> answers) {
        return new StreamObserver<>() {
            private Chain heard = Chain.EMPTY;

            @Override
            public void onNext(byte[] message) {
                heard = heard.with(message);
                answers.onNext(GrpcMethods.bytes(heard));
            }

            @Override
            public void onError(Throwable failure) {
                calls.add("talk failed: " + failure);
            }

            @Override
            public void onCompleted() {
                calls.add("talk " + heard);
                answers.onCompleted();
            }
        };
    }

    @Override
    public void close() {
        server.shutdownNow();
    }
}
