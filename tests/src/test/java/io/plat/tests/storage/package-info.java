/**
 * Requirements for every store: a conformance suite with a subclass per backend, a reference model, and a process that is killed during
 * writes.
 */
@NullMarked
package io.plat.tests.storage;

import org.jspecify.annotations.NullMarked;
