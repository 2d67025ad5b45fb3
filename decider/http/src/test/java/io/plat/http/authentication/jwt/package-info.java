@NullMarked
package io.plat.http.authentication.jwt;

import org.jspecify.annotations.NullMarked;
