package dev.understudy.example.orders;

import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("process")
@ExtendWith(ShopExtension.class)
class AttachmentTest {
    @Test
    void attachment_comesBackToItsCustomerAsItWasSent(RunningShop shop) throws Exception {
        Visitor visitor = shop.visitor().signedInAs("customer-06");
        long order = Visitor.json(visitor.post("/orders", "{\"lines\":[{\"productId\":5,\"quantity\":1}]}"))
                .get("id")
                .asLong();
        byte[] content = new byte[1_500_000];
        new Random(1).nextBytes(content);

        var attachment = Visitor.json(visitor.post("/orders/" + order + "/attachments?name=plan.bin", content));
        String path = "/attachments/" + attachment.get("id").asLong();
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(content);
        assertThat(attachment.get("sha256").asString()).isEqualTo(HexFormat.of().formatHex(hash));
        assertThat(visitor.get(path).body()).isEqualTo(content);
        assertThat(shop.visitor().signedInAs("customer-04").get(path).statusCode())
                .isEqualTo(404);
    }
}
