package dev.understudy.relay.tap;

/** The way of a connection that nobody copies. */
final class NoFeed implements TapFeed {
    static final NoFeed INSTANCE = new NoFeed();

    private NoFeed() {}

    @Override
    public boolean isIdle() {
        return true;
    }

    @Override
    public void skip(Direction direction, int length) {}

    @Override
    public void read(TapRead read) {}

    @Override
    public void connected(long nanos) {}

    @Override
    public void end(Direction direction, long nanos) {}

    @Override
    public void closed(CloseReason reason, long nanos) {}

    @Override
    public void fail(Throwable e) {}
}
