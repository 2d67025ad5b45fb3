/**
 * What every store must do, whatever stands behind it: a conformance suite with one subclass a backend, a plain model to compare
 * with, and a process that is killed while it writes.
 */
@NullMarked
package io.plat.tests.storage;

import org.jspecify.annotations.NullMarked;
