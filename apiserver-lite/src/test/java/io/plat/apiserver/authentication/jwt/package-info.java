@NullMarked
package io.plat.apiserver.authentication.jwt;

import org.jspecify.annotations.NullMarked;
