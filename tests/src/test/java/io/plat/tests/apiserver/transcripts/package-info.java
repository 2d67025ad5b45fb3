/**
 * Responses of a stock server, compared with those of this one: every exchange of a transcript in order. Rows in which the two differ are listed
 * with the reason, and a listed row that no longer differs is a failure.
 */
@NullMarked
package io.plat.tests.apiserver.transcripts;

import org.jspecify.annotations.NullMarked;
