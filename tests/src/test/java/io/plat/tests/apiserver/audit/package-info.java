/** Audit records of a server, as readers of the log and operators of the webhook see them. */
@NullMarked
package io.plat.tests.apiserver.audit;

import org.jspecify.annotations.NullMarked;
