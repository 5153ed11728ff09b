package dev.understudy.aggregator;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** One call, said and heard message by message; its end is heard as {@code end}, a failure as its status. */
final class GrpcConversation implements StreamObserver<String> {
    private final ClientCall<String, String> call;
    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    private final StreamObserver<String> saying;

    GrpcConversation(ManagedChannel channel, MethodDescriptor<String, String> method) {
        call = channel.newCall(method, CallOptions.DEFAULT);
        saying = switch (method.getType()) {
            case BIDI_STREAMING -> ClientCalls.asyncBidiStreamingCall(call, this);
            case CLIENT_STREAMING -> ClientCalls.asyncClientStreamingCall(call, this);
            default -> this;
        };
    }

    /** Says the only message. */
    void call(String message) {
        ClientCalls.asyncServerStreamingCall(call, message, this);
    }

    void say(String message) {
        saying.onNext(message);
    }

    void end() {
        saying.onCompleted();
    }

    void cancel() {
        call.cancel("enough", null);
    }

    /** Says the next message when the last one is answered. */
    List<String> exchange(String... messages) throws InterruptedException {
        List<String> answers = new ArrayList<>();
        for (String message : messages) {
            say(message);
            answers.add(next());
        }
        end();
        answers.add(next());
        answers.add(next());
        return answers;
    }

    String next() throws InterruptedException {
        String next = heard.poll(60, TimeUnit.SECONDS);
        return next == null ? "nothing" : next;
    }

    /** What is heard within a moment; null if nothing is. */
    String poll() throws InterruptedException {
        return heard.poll(100, TimeUnit.MILLISECONDS);
    }

    @Override
    public void onNext(String message) {
        heard.add(message);
    }

    @Override
    public void onError(Throwable failure) {
        Status status = Status.fromThrowable(failure);
        heard.add(status.getCode() + " " + status.getDescription());
    }

    @Override
    public void onCompleted() {
        heard.add("end");
    }
}
