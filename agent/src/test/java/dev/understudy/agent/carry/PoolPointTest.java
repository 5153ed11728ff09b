package dev.understudy.agent.carry;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class PoolPointTest {
    @Test
    void aPoolUnderAnotherPackage_isKnownWithItsTypes() {
        assertThat(PoolPoint.of("acme/io/netty/util/concurrent/AbstractScheduledEventExecutor"))
                .containsOnlyKeys("scheduleFromEventLoop(Lacme/io/netty/util/concurrent/ScheduledFutureTask;)V");
        assertThat(PoolPoint.of("org/jboss/threads/EnhancedQueueExecutor"))
                .containsKey("tryExecute(Lorg/jboss/threads/EnhancedQueueExecutor$Task;)I");
    }

    @Test
    void aClassWhoseNameOnlyEndsLikeThat_isNone() {
        assertThat(PoolPoint.of("acmeio/netty/util/concurrent/AbstractEventExecutor"))
                .isEmpty();
    }
}
