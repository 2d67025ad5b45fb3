/**
 * RFC 3339 timestamps, parsed and written as bytes on hot paths. JSON and protobuf share the parser, so nothing is stored that
 * cannot be served. Self-contained.
 */
@NullMarked
package io.plat.apiserver.timestamp;

import org.jspecify.annotations.NullMarked;
