/**
 * Common parts of a decider's protocols: client identity, admission of requests, and decisions that are counted, logged and compared. A package for
 * each protocol translates requests into attributes and decisions into responses. Depends on {@code engine} and {@code http}.
 */
@NullMarked
package io.plat.fronts;

import org.jspecify.annotations.NullMarked;
