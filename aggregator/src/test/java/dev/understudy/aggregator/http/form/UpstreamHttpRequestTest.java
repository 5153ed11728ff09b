package dev.understudy.aggregator.http.form;

import dev.understudy.divergence.wire.http.Header;
import dev.understudy.divergence.wire.http.RequestHead;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class UpstreamHttpRequestTest {
    private static final byte[] BODY = "{\"a\": 1}".getBytes(StandardCharsets.UTF_8);

    @Test
    void bodyThatNobodyWants_isGoneWithItsForm() {
        UpstreamHttpRequest request = request(0);
        assertThat(request.heldBytes()).isEqualTo(BODY.length);
        request.form();

        assertThat(request.heldBytes()).isZero();
        assertThat(request.body()).isNull();
    }

    @Test
    void bodyThatIsWanted_staysBeyondItsForm_whichIsTheSame() {
        UpstreamHttpRequest request = request(100);
        assertThat(request.form()).isEqualTo(request(0).form());

        assertThat(request.body()).isEqualTo(BODY);
    }

    private static UpstreamHttpRequest request(int wanted) {
        RequestHead head =
                new RequestHead("PUT", "/a", "HTTP/1.1", List.of(new Header("Content-Type", "application/json")));
        UpstreamHttpRequest request = new UpstreamHttpRequest(head, FormRule.DEFAULT, wanted);
        request.body(ByteBuffer.wrap(BODY));
        return request;
    }
}
