package dev.understudy.example.orders;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("process")
@ExtendWith(ShopExtension.class)
class ReportTest {
    private final Visitor visitor;

    ReportTest(RunningShop shop) {
        visitor = shop.visitor().signedInAs("customer-05");
    }

    @Test
    void revenue_addsUpTheOrdersOfACategory() {
        long before = soldRuffs();
        visitor.post("/orders", "{\"lines\":[{\"productId\":41,\"quantity\":3}]}");
        assertThat(soldRuffs()).isEqualTo(before + 3);
    }

    private long soldRuffs() {
        var report = Visitor.json(visitor.get("/reports/revenue?category=wardrobe"));
        assertThat(report.get("generatedAt").asString()).isNotBlank();
        return report.get("products")
                .valueStream()
                .filter(row -> row.get("sku").asString().equals("WA-041"))
                .mapToLong(row -> row.get("quantity").asLong())
                .sum();
    }

    @Test
    void quote_comesFromPricing() {
        var quote = Visitor.json(visitor.get("/quote?sku=PR-001&quantity=25&currency=USD"));
        assertThat(quote.get("discountPercent").asInt()).isEqualTo(8);
        assertThat(quote.get("currency").asString()).isEqualTo("USD");
        assertThat(visitor.get("/quote?sku=unknown").statusCode()).isEqualTo(404);
    }
}
