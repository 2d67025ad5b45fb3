/**
 * Responses of kube-apiserver, compared with those of this server: every exchange of a transcript in order. Known differences are listed
 * with the reason, and a listed row without a difference is a failure.
 */
@NullMarked
package io.plat.tests.apiserver.transcripts;

import org.jspecify.annotations.NullMarked;
