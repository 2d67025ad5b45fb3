/** Audit records of a server, in the log and at the webhook. */
@NullMarked
package io.plat.tests.apiserver.audit;

import org.jspecify.annotations.NullMarked;
