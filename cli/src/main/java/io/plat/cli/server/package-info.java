/**
 * Client of a server: its address, TLS, credentials, and its responses to reviews. Plain {@code HttpsURLConnection}, as it costs a short-lived
 * process the least.
 */
@NullMarked
package io.plat.cli.server;

import org.jspecify.annotations.NullMarked;
