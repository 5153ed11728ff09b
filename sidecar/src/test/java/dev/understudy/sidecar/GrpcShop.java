package dev.understudy.sidecar;

import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A real gRPC server without TLS, all four kinds of call. Messages are {@code shop.Order}s of one byte's {@code id};
 * each is answered with an id that is larger by what this server is told to add. An order of {@value #FAILING} fails,
 * one of {@value #ENDLESS} has no end, one of {@value #BROKEN} ends as a defect does.
 */
public final class GrpcShop implements AutoCloseable {
    public static final int FAILING = 100;
    public static final int ENDLESS = 101;
    public static final int BROKEN = 102;
    public static final MethodDescriptor<Integer, Integer> ONCE = method(MethodType.UNARY, "once");
    public static final MethodDescriptor<Integer, Integer> PIECES = method(MethodType.SERVER_STREAMING, "pieces");
    public static final MethodDescriptor<Integer, Integer> SUM = method(MethodType.CLIENT_STREAMING, "sum");
    public static final MethodDescriptor<Integer, Integer> TALK = method(MethodType.BIDI_STREAMING, "talk");

    /** All that was heard: a method's name and an id, or {@code cancelled}. */
    public final Queue<String> heard = new ConcurrentLinkedQueue<>();

    /** The spans that calls said to belong to. */
    public final Queue<String> spans = new ConcurrentLinkedQueue<>();

    private final int more;
    private final String trouble;
    private final Server server;

    /**
     * @param more what is added to each id
     * @param trouble what a call that fails is told
     */
    public GrpcShop(int more, String trouble) throws IOException {
        this.more = more;
        this.trouble = trouble;
        server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .addService(ServerServiceDefinition.builder("shop.Orders")
                        .addMethod(ONCE, ServerCalls.asyncUnaryCall(this::once))
                        .addMethod(PIECES, ServerCalls.asyncServerStreamingCall(this::pieces))
                        .addMethod(SUM, ServerCalls.asyncClientStreamingCall(Sum::new))
                        .addMethod(TALK, ServerCalls.asyncBidiStreamingCall(Talk::new))
                        .build())
                .intercept(new Traced())
                .build()
                .start();
    }

    public InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), server.getPort());
    }

    private void once(int id, StreamObserver<Integer> answers) {
        heard.add("once " + id);
        if (id == BROKEN) {
            answers.onError(Status.INTERNAL.withDescription(trouble).asRuntimeException());
            return;
        }
        answers.onNext(id + more);
        answers.onCompleted();
    }

    private void pieces(int id, StreamObserver<Integer> answers) {
        heard.add("pieces " + id);
        for (int n = 0; n < 5; n++) {
            answers.onNext(id + n + (n == 3 ? more : 0));
        }
        if (id == BROKEN) {
            answers.onError(Status.DATA_LOSS.withDescription(trouble).asRuntimeException());
        } else if (id == FAILING) {
            answers.onError(Status.OUT_OF_RANGE.withDescription(trouble).asRuntimeException());
        } else if (id != ENDLESS) {
            answers.onCompleted();
        }
    }

    private final class Traced implements ServerInterceptor {
        @Override
        public <A, B> ServerCall.Listener<A> interceptCall(
                ServerCall<A, B> call, Metadata headers, ServerCallHandler<A, B> next) {
            String traceparent = headers.get(Metadata.Key.of("traceparent", Metadata.ASCII_STRING_MARSHALLER));
            if (traceparent != null) {
                spans.add(traceparent.substring(36, 52)); // version, trace, span, flags
            }
            return next.startCall(call, headers);
        }
    }

    private abstract class Heard implements StreamObserver<Integer> {
        final StreamObserver<Integer> answers;
        int sum;

        Heard(StreamObserver<Integer> answers) {
            this.answers = answers;
        }

        @Override
        public void onNext(Integer id) {
            sum += id;
        }

        @Override
        public void onError(Throwable failure) {
            heard.add("cancelled");
        }
    }

    private final class Sum extends Heard {
        Sum(StreamObserver<Integer> answers) {
            super(answers);
        }

        @Override
        public void onCompleted() {
            heard.add("sum " + sum);
            answers.onNext(sum + more);
            answers.onCompleted();
        }
    }

    private final class Talk extends Heard {
        Talk(StreamObserver<Integer> answers) {
            super(answers);
        }

        @Override
        public void onNext(Integer id) {
            super.onNext(id);
            answers.onNext(sum + more);
        }

        @Override
        public void onCompleted() {
            heard.add("talk " + sum);
            answers.onCompleted();
        }
    }

    @Override
    public void close() {
        server.shutdownNow();
    }

    private static MethodDescriptor<Integer, Integer> method(MethodType type, String name) {
        return MethodDescriptor.newBuilder(Orders.INSTANCE, Orders.INSTANCE)
                .setType(type)
                .setFullMethodName("shop.Orders/" + name)
                .build();
    }

    private enum Orders implements MethodDescriptor.Marshaller<Integer> {
        INSTANCE;

        @Override
        public InputStream stream(Integer id) {
            return new ByteArrayInputStream(new byte[] {8, id.byteValue()});
        }

        @Override
        public Integer parse(InputStream stream) {
            try {
                return (int) stream.readAllBytes()[1];
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        }
    }

    /**
     * What {@code protoc} makes of {@code package shop; message Order { int64 id = 1; }} and a service of the methods
     * above.
     */
    static byte[] descriptors() {
        byte[] field = joined(text(1, "id"), new byte[] {3 << 3, 1, 4 << 3, 1, 5 << 3, 3});
        byte[] message = joined(text(1, "Order"), counted(2, field));
        byte[] service = text(1, "Orders");
        for (String name : new String[] {"once", "pieces", "sum", "talk"}) {
            byte[] method = joined(text(1, name), text(2, ".shop.Order"), text(3, ".shop.Order"));
            service = joined(service, counted(2, method));
        }
        return counted(1, joined(text(1, "shop.proto"), text(2, "shop"), counted(4, message), counted(6, service)));
    }

    private static byte[] text(int number, String text) {
        return counted(number, text.getBytes(StandardCharsets.US_ASCII));
    }

    private static byte[] counted(int number, byte[] bytes) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.write(number << 3 | 2);
        int left = bytes.length;
        for (; left > 127; left >>= 7) {
            all.write((left & 127) | 128);
        }
        all.write(left);
        all.writeBytes(bytes);
        return all.toByteArray();
    }

    private static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }
}
