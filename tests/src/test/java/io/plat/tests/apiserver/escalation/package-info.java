/** Permission to write role objects: cases as data, and invariants of all sequences of writes. */
@NullMarked
package io.plat.tests.apiserver.escalation;

import org.jspecify.annotations.NullMarked;
