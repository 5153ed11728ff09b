package dev.understudy.example.orders.catalogue;

import java.time.Duration;
import java.util.Optional;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.stereotype.Component;
import tools.jackson.databind.ObjectMapper;

/** Products by id, read through Redis; an entry lives for a minute. */
@Component
class ProductCache {
    private static final Duration LIFETIME = Duration.ofMinutes(1);

    private final Products products;
    private final StringRedisTemplate redis;
    private final ObjectMapper json;

    ProductCache(Products products, StringRedisTemplate redis, ObjectMapper json) {
        this.products = products;
        this.redis = redis;
        this.json = json;
    }

    Optional<Product> withId(long id) {
        String key = "product:" + id;
        String cached = redis.opsForValue().get(key);
        if (cached != null) {
            return Optional.of(json.readValue(cached, Product.class));
        }
        Optional<Product> product = products.withId(id);
        product.ifPresent(found -> redis.opsForValue().set(key, json.writeValueAsString(found), LIFETIME));
        return product;
    }
}
