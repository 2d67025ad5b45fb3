/**
 * Requirements of every store, for any backend: a conformance suite with one subclass per backend, a plain model to compare with, and a process
 * that is killed while it writes.
 */
@NullMarked
package io.plat.tests.storage;

import org.jspecify.annotations.NullMarked;
