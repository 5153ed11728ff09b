package dev.understudy.example.orders.catalogue;

import java.util.List;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.stereotype.Component;

/** The last ten products that each customer looked at, newest first, in Redis. */
@Component
class RecentlyViewed {
    private static final int LENGTH = 10;

    private final StringRedisTemplate redis;

    RecentlyViewed(StringRedisTemplate redis) {
        this.redis = redis;
    }

    void add(long customerId, Product product) {
        redis.opsForList().leftPush(key(customerId), product.sku());
        redis.opsForList().trim(key(customerId), 0, LENGTH - 1);
    }

    List<String> of(long customerId) {
        List<String> skus = redis.opsForList().range(key(customerId), 0, LENGTH - 1);
        return skus == null ? List.of() : skus;
    }

    private static String key(long customerId) {
        return "recent:" + customerId;
    }
}
