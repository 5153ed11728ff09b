package dev.understudy.example.orders.quote;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** Prices before ordering. */
@RestController
class QuoteController {
    private final Pricing pricing;

    QuoteController(Pricing pricing) {
        this.pricing = pricing;
    }

    @GetMapping("/quote")
    Quote quote(
            @RequestParam String sku,
            @RequestParam(defaultValue = "1") int quantity,
            @RequestParam(defaultValue = "EUR") String currency) {
        return pricing.quote(sku, quantity, currency)
                .orElseThrow(() -> new ResponseStatusException(HttpStatus.NOT_FOUND, "No price for this"));
    }
}
