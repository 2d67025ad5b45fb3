/**
 * Asking a server: which one, over which TLS, as whom, and what it answers to reviews. Plain {@code HttpsURLConnection}, as it costs a short-lived process the
 * least.
 */
@NullMarked
package io.plat.cli.server;

import org.jspecify.annotations.NullMarked;
