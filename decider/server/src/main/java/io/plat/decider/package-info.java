/**
 * The decider process: answers access reviews over mutual TLS from the policies that its flags name.
 *
 * <p>A request passes, in this order: the headers of every response, admission of the client, the reviews, and otherwise the routes for operators.
 * Every endpoint requires an allowed client. A review that is decided from memory is processed on the thread that read it, and must not block. Only
 * {@code tests} depends on this package.
 */
@NullMarked
package io.plat.decider;

import org.jspecify.annotations.NullMarked;
