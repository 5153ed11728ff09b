package dev.understudy.standin.load;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.standin.model.RequestModel;
import dev.understudy.standin.model.RequestModel.QueryParameter;
import dev.understudy.standin.value.Alphabet;
import dev.understudy.standin.value.Quantiles;
import dev.understudy.standin.value.ValueModel;
import dev.understudy.standin.value.ValueModel.ArrayModel;
import dev.understudy.standin.value.ValueModel.Member;
import dev.understudy.standin.value.ValueModel.NullModel;
import dev.understudy.standin.value.ValueModel.NumberModel;
import dev.understudy.standin.value.ValueModel.ObjectModel;
import dev.understudy.standin.value.ValueModel.TextModel;
import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class RequestMakerTest {
    private static final ValueModel WORDS = new TextModel(Alphabet.WORDS, Quantiles.always(12), 50);
    private static final ValueModel NUMBER = new NumberModel(1, 99, 0, 50);

    private final SplittableRandom random = new SplittableRandom(7);

    private static RequestModel get(String path, List<ValueModel> parts, QueryParameter... query) {
        return new RequestModel("GET", path, parts, List.of(query), "", Quantiles.always(0), null);
    }

    private static RequestModel post(String contentType, double size, @Nullable ValueModel body) {
        return new RequestModel("POST", "/orders", List.of(), List.of(), contentType, Quantiles.always(size), body);
    }

    @Test
    void parts_arePercentEncoded() {
        RequestMaker maker = new RequestMaker(get("/shops/{}/orders/{}/", List.of(WORDS, NUMBER)));

        assertThat(maker.make(random).target())
                .matches("/shops/[a-z%20]+/orders/[0-9]{1,2}/")
                .contains("%20");
        assertThat(UrlText.encode("a/b c?ü~")).isEqualTo("a%2Fb%20c%3F%C3%BC~");
    }

    @Test
    void parameters_comeByTheirShare() {
        RequestMaker maker = new RequestMaker(get(
                "/orders",
                List.of(),
                new QueryParameter("page", 1, NUMBER),
                new QueryParameter("sort by", 0.3, NUMBER)));
        int sorted = 0;
        for (int i = 0; i < 1000; i++) {
            String target = maker.make(random).target();
            assertThat(target).matches("/orders\\?page=\\d+(&sort%20by=\\d+)?");
            sorted += target.contains("&sort%20by=") ? 1 : 0;
        }

        assertThat(sorted).isBetween(240, 360);
    }

    @Test
    void json_looksLikeTheModel() throws IOException {
        ValueModel body = new ObjectModel(List.of(new Member("amount", 1, NUMBER)));
        RequestDraft draft = new RequestMaker(post("", 500, body)).make(random);

        JsonNode made = new ObjectMapper().readTree(draft.body());
        assertThat(made.get("amount").asInt()).isBetween(1, 99);
        assertThat(draft.contentType()).isEqualTo("application/json");
        assertThat(draft.method()).isEqualTo("POST");
    }

    @Test
    void otherBodies_haveTheirSizeAndType() {
        RequestDraft draft = new RequestMaker(post("text/plain", 500, null)).make(random);

        assertThat(draft.body()).hasSize(500);
        assertThat(draft.contentType()).isEqualTo("text/plain");
    }

    @Test
    void sameSeed_makesTheSameRequest() {
        RequestMaker maker = new RequestMaker(get("/orders/{}", List.of(WORDS)));

        assertThat(maker.make(new SplittableRandom(3)).target())
                .isEqualTo(maker.make(new SplittableRandom(3)).target());
    }

    @Test
    void whatCannotBeMade_isRefusedWithItsRoute() {
        assertThatThrownBy(() -> new RequestMaker(get("/a b", List.of())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("GET /a b: its path");
        assertThatThrownBy(() -> new RequestMaker(get("/a?b=c", List.of()))).hasMessageContaining("its path");
        ValueModel array = new ArrayModel(Quantiles.always(1), new NullModel());
        assertThatThrownBy(() -> new RequestMaker(get("/{}", List.of(array)))).hasMessageContaining("an array");
        assertThatThrownBy(() -> new RequestMaker(get("/", List.of(), new QueryParameter("ids", 1, array))))
                .hasMessageContaining("ids");
        assertThatThrownBy(() -> new RequestMaker(post("text/plain\r\nX: y", 1, null)))
                .hasMessageContaining("content type");
        assertThatThrownBy(() -> new RequestMaker(post("text/plain", 1e12, null)))
                .hasMessageContaining("64 MiB");
    }
}
