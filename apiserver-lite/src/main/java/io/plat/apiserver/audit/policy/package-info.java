/**
 * The audit policy: which requests are recorded, at which stages and how much of them. The first rule that matches a request decides; one
 * that none matches is not recorded. Read from a file whose problems are all told at once. Knows requests by their attributes only.
 */
@NullMarked
package io.plat.apiserver.audit.policy;

import org.jspecify.annotations.NullMarked;
