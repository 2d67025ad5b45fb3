package io.plat.apiserver.type;

/** Registration of a listener, until closed. */
@FunctionalInterface
public interface Listening extends AutoCloseable {
    @Override
    void close();
}
