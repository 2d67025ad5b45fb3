/**
 * The decider process: answers access reviews over mutual TLS from the policies that its flags name.
 *
 * <p>A request passes, in this order: the headers of every response, admission of the client, the reviews, and otherwise the routes for operators.
 * Every endpoint requires an allowed client. A review that is decided from memory is processed on the thread that read it, and must not block. Only
 * {@code tests} depends on this package.
 *
 * <p>Nothing that follows decisions delays them: the decision log ({@link io.plat.decider.DecisionLog}), the live stream
 * ({@link io.plat.decider.DecisionStreams}) and the candidate policy ({@link io.plat.decider.Shadow}) have bounded queues and a thread each. What does
 * not fit is dropped and counted; only in {@code blocking} mode of the log, a response waits for its line and is a failure without one.
 */
@NullMarked
package io.plat.decider;

import org.jspecify.annotations.NullMarked;
