package dev.understudy.example.orders;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("process")
@ExtendWith(ShopExtension.class)
class CatalogueTest {
    private final Visitor visitor;

    CatalogueTest(RunningShop shop) {
        visitor = shop.visitor();
    }

    @Test
    void list_isPagedAndByCategory() {
        var page = Visitor.json(visitor.get("/products?category=lighting&limit=3&offset=1"));
        assertThat(page.size()).isEqualTo(3);
        assertThat(page.get(0).get("sku").asString()).isEqualTo("LI-022");
    }

    @Test
    void detail_isTheSameFromDatabaseAndCache() {
        var first = visitor.get("/products/33");
        var second = visitor.get("/products/33");
        assertThat(Visitor.json(first).get("name").asString()).isEqualTo("Glow tape");
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(visitor.get("/products/4711").statusCode()).isEqualTo(404);
    }

    @Test
    void recent_holdsTheLastTenNewestFirst() {
        visitor.signedInAs("customer-02");
        for (int id = 1; id <= 12; id++) {
            visitor.get("/products/" + id);
        }
        var recent = Visitor.json(visitor.get("/recent"));
        assertThat(recent.size()).isEqualTo(10);
        assertThat(recent.get(0).asString()).isEqualTo("EF-012");
        assertThat(recent.get(9).asString()).isEqualTo("PR-003");
    }

    @Test
    void export_streamsALineForEachProductAndDay() {
        byte[] csv = visitor.get("/catalogue.csv?days=600").body();
        assertThat(csv).hasSizeGreaterThan(1_500_000);
        assertThat(new String(csv, StandardCharsets.UTF_8).lines()).hasSize(1 + 48 * 600);
        assertThat(visitor.get("/catalogue.csv?days=600").body()).isEqualTo(csv);
        assertThat(visitor.get("/catalogue.csv?days=0").statusCode()).isEqualTo(400);
    }
}
