package io.plat.apiserver.type;

/** Registration of a listener, until closed. */
@FunctionalInterface
public interface Subscription extends AutoCloseable {
    @Override
    void close();
}
