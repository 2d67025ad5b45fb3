package io.plat.apiserver.type;

/** Somebody is told of something until this is closed. */
@FunctionalInterface
public interface Listening extends AutoCloseable {
    @Override
    void close();
}
