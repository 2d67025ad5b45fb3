/**
 * The decider process: answers access reviews over mutual TLS from the policies that its flags name.
 *
 * <p>A request passes, in this order: the headers that every answer carries, the question whether this client may ask, the
 * reviews, and what is left goes to the routes for those who run it. Every endpoint is for clients that may ask. A review that
 * is decided from memory is read, decided and answered on the thread that read it; nothing on that way may wait. Only
 * {@code tests} depends on this package.
 */
@NullMarked
package io.plat.decider;

import org.jspecify.annotations.NullMarked;
