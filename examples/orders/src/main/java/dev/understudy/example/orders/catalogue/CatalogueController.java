package dev.understudy.example.orders.catalogue;

import dev.understudy.example.orders.account.SignedIn;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** Looking at products, which anybody may. */
@RestController
class CatalogueController {
    private static final int LONGEST_PAGE = 100;
    private static final int LONGEST_HISTORY = 3_650;

    private final Products products;
    private final ProductCache cache;
    private final RecentlyViewed recent;
    private final CatalogueExport export;

    CatalogueController(Products products, ProductCache cache, RecentlyViewed recent, CatalogueExport export) {
        this.products = products;
        this.cache = cache;
        this.recent = recent;
        this.export = export;
    }

    @GetMapping("/products")
    List<Product> products(
            @RequestParam(defaultValue = "") String category,
            @RequestParam(defaultValue = "20") int limit,
            @RequestParam(defaultValue = "0") int offset) {
        return products.in(category, Math.max(0, Math.min(limit, LONGEST_PAGE)), Math.max(0, offset));
    }

    @GetMapping("/products/{id}")
    Product product(@PathVariable long id, HttpServletRequest request) {
        Product product = cache.withId(id).orElseThrow(() -> new ResponseStatusException(HttpStatus.NOT_FOUND));
        SignedIn.customer(request).ifPresent(customer -> recent.add(customer, product));
        return product;
    }

    @GetMapping("/recent")
    List<String> recent(HttpServletRequest request) {
        return recent.of(SignedIn.required(request));
    }

    @GetMapping("/catalogue.csv")
    void export(@RequestParam(defaultValue = "365") int days, HttpServletResponse response) throws IOException {
        if (days < 1 || days > LONGEST_HISTORY) {
            throw new ResponseStatusException(HttpStatus.BAD_REQUEST, "days: " + days + " (expected: 1 to 3650)");
        }
        response.setContentType("text/csv;charset=UTF-8");
        response.setHeader("Content-Disposition", "attachment; filename=\"catalogue.csv\"");
        export.writeTo(response.getOutputStream(), days);
    }
}
