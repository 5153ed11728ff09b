package dev.understudy.aggregator.redis;

import dev.understudy.aggregator.redis.push.Subscriptions;

/** What the recorder and the replay of one upstream share besides the journal. */
record RedisSharing(Subscriptions subscriptions, ClientIds clients, LocalRefusals refusals) {
    RedisSharing(Subscriptions subscriptions) {
        this(subscriptions, new ClientIds(), new LocalRefusals());
    }
}
