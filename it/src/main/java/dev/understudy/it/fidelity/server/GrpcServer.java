package dev.understudy.it.fidelity.server;

import io.grpc.Attributes;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServerTransportFilter;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;

/**
 * grpc-java's server in this process, whose answers tell how many calls there were before them; it compresses with
 * gzip.
 */
public final class GrpcServer implements Server {
    private static final Context.Key<Long> NUMBER = Context.key("number");

    private final AtomicLong connections = new AtomicLong();
    private final AtomicLong calls = new AtomicLong();
    private final io.grpc.Server server;

    private GrpcServer() throws IOException {
        server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .addService(ServerServiceDefinition.builder(GrpcMethods.SERVICE)
                        .addMethod(GrpcMethods.ONCE, ServerCalls.asyncUnaryCall(GrpcServer::once))
                        .addMethod(GrpcMethods.PIECES, ServerCalls.asyncServerStreamingCall(GrpcServer::pieces))
                        .addMethod(GrpcMethods.GATHER, ServerCalls.asyncClientStreamingCall(GrpcServer::gather))
                        .addMethod(GrpcMethods.TALK, ServerCalls.asyncBidiStreamingCall(GrpcServer::talk))
                        .addMethod(GrpcMethods.GREET, ServerCalls.asyncBidiStreamingCall(GrpcServer::greet))
                        .build())
                .intercept(new Counting())
                .addTransportFilter(new ServerTransportFilter() {
                    @Override
                    public Attributes transportReady(Attributes attributes) {
                        connections.incrementAndGet();
                        return attributes;
                    }
                })
                .build()
                .start();
    }

    public static GrpcServer start() throws IOException {
        return new GrpcServer();
    }

    @Override
    public int port() {
        return server.getPort();
    }

    @Override
    public Census census() {
        return new Census(connections.get(), calls.get());
    }

    private static void once(String message, StreamObserver<String> answers) {
        String[] words = message.split(" ", 2);
        switch (words[0]) {
            case "fail" -> answers.onError(failure(Status.Code.valueOf(words[1])));
            case "large" -> end(answers, "x".repeat(Integer.parseInt(words[1])));
            default -> {
                if (!message.equals("silent")) {
                    end(answers, "call " + NUMBER.get() + ": " + message);
                }
            }
        }
    }

    private static void pieces(String message, StreamObserver<String> answers) {
        String[] words = message.split(" ", -1);
        int size = Integer.parseInt(words[1]);
        for (int n = 0; n < Integer.parseInt(words[0]); n++) {
            answers.onNext(NUMBER.get() + "." + n + " " + "x".repeat(size));
        }
        String ending = words.length > 2 ? words[2] : "";
        if (ending.equals("fail")) {
            answers.onError(failure(Status.Code.ABORTED));
        } else if (!ending.equals("endless")) {
            answers.onCompleted();
        }
    }

    private static StreamObserver<String> gather(StreamObserver<String> answers) {
        StringBuilder all = new StringBuilder("call " + NUMBER.get() + ":");
        return new Heard(answers) {
            private boolean over;

            @Override
            public void onNext(String message) {
                all.append(' ').append(message);
                if (!over && message.equals("enough")) {
                    over = true;
                    end(answers, all.toString());
                } else if (!over && message.equals("fail")) {
                    over = true;
                    answers.onError(failure(Status.Code.OUT_OF_RANGE));
                }
            }

            @Override
            public void onCompleted() {
                if (!over) {
                    end(answers, all.toString());
                }
            }
        };
    }

    private static StreamObserver<String> greet(StreamObserver<String> answers) {
        answers.onNext("welcome to call " + NUMBER.get());
        return talk(answers);
    }

    private static StreamObserver<String> talk(StreamObserver<String> answers) {
        long call = NUMBER.get();
        return new Heard(answers) {
            private boolean over;

            @Override
            public void onNext(String message) {
                if (!over && message.equals("fail")) {
                    over = true;
                    answers.onError(failure(Status.Code.DATA_LOSS));
                } else if (!over) {
                    answers.onNext("call " + call + ": " + message);
                }
            }

            @Override
            public void onCompleted() {
                if (!over) {
                    end(answers, "call " + call + " is over");
                }
            }
        };
    }

    private static void end(StreamObserver<String> answers, String last) {
        answers.onNext(last);
        answers.onCompleted();
    }

    private static RuntimeException failure(Status.Code code) {
        Metadata trailers = new Metadata();
        trailers.put(GrpcMethods.DETAILS, ("\0details of " + code).getBytes(StandardCharsets.UTF_8));
        return code.toStatus()
                .withDescription("call " + NUMBER.get() + " fails: 100 % \u00e9")
                .asRuntimeException(trailers);
    }

    @Override
    public void close() {
        server.shutdownNow();
    }

    private abstract static class Heard implements StreamObserver<String> {
        private final StreamObserver<String> answers;

        Heard(StreamObserver<String> answers) {
            this.answers = answers;
        }

        @Override
        public void onError(Throwable gone) {
            answers.onError(gone);
        }
    }

    /** Numbers the calls, and gives back the metadata that asks for it. */
    private final class Counting implements ServerInterceptor {
        @Override
        public <A, B> ServerCall.Listener<A> interceptCall(
                ServerCall<A, B> call, Metadata headers, ServerCallHandler<A, B> next) {
            String told = headers.get(GrpcMethods.TOLD);
            call.setCompression("gzip");
            ServerCall<A, B> answering = new SimpleForwardingServerCall<>(call) {
                @Override
                public void sendHeaders(Metadata before) {
                    tell(before);
                    super.sendHeaders(before);
                }

                @Override
                public void close(Status status, Metadata after) {
                    tell(after);
                    super.close(status, after);
                }

                private void tell(Metadata to) {
                    if (told != null) {
                        to.put(GrpcMethods.TOLD, told);
                    }
                }
            };
            Context numbered = Context.current().withValue(NUMBER, calls.incrementAndGet());
            return Contexts.interceptCall(numbered, answering, headers, next);
        }
    }
}
