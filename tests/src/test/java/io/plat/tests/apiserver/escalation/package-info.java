/** Privilege escalation checks for role objects: cases as data, and invariants for all sequences of writes. */
@NullMarked
package io.plat.tests.apiserver.escalation;

import org.jspecify.annotations.NullMarked;
