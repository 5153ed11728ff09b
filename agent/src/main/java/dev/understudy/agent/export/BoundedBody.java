package dev.understudy.agent.export;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** Takes a reply's body as long as it is no larger than was agreed. Confined to the exchange it belongs to. */
final class BoundedBody implements HttpResponse.BodySubscriber<byte[]> {
    private final int most;
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private final CompletableFuture<byte[]> whole = new CompletableFuture<>();
    private Flow.@Nullable Subscription subscription;

    private BoundedBody(int most) {
        this.most = most;
    }

    /** Bodies of at most {@code most} bytes; a larger one fails the exchange. */
    static HttpResponse.BodyHandler<byte[]> handler(int most) {
        return head -> new BoundedBody(most);
    }

    @Override
    public CompletionStage<byte[]> getBody() {
        return whole;
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
        this.subscription = subscription;
        subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> parts) {
        for (ByteBuffer part : parts) {
            if (body.size() + part.remaining() > most) {
                if (subscription != null) {
                    subscription.cancel();
                }
                whole.completeExceptionally(new IOException("larger than " + most + " bytes"));
                return;
            }
            byte[] bytes = new byte[part.remaining()];
            part.get(bytes);
            body.write(bytes, 0, bytes.length);
        }
    }

    @Override
    public void onError(Throwable problem) {
        whole.completeExceptionally(problem);
    }

    @Override
    public void onComplete() {
        whole.complete(body.toByteArray());
    }
}
