/** Who may write which role objects: cases as data, and what must never come of any sequence of writes. */
@NullMarked
package io.plat.tests.apiserver.escalation;

import org.jspecify.annotations.NullMarked;
