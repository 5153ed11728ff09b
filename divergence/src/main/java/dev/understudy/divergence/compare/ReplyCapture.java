package dev.understudy.divergence.compare;

/** What is kept of a reply while it comes in. Not thread-safe. */
public interface ReplyCapture {
    /** Bytes of memory that it takes now. */
    long heldBytes();

    /** Keeps of the content nothing but length and hash, from now on. */
    void forgetContent();
}
