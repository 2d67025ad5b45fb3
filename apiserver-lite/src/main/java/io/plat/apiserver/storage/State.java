package io.plat.apiserver.storage;

/**
 * What readers see: everything durable up to one revision. Published through one reference.
 *
 * @param revision the newest revision
 * @param floor the oldest revision that can be read, and watched from
 * @param tree the objects
 * @param weight about how many bytes of memory they take
 * @param events the changes since the floor
 */
record State(long revision, long floor, Tree tree, long weight, History.View events) {}
